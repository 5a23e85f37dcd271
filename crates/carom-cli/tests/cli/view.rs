//! `carom view` and `carom figure`: what is served, to whom, and what is written.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::common::{carom, folder, text};

/// A short run.
fn run(place: &Path, example: &str) -> PathBuf {
    let out = place.join(example.replace(':', "-"));
    let done = carom(&[
        "run",
        example,
        "--out",
        text(&out),
        "--set",
        "simulate.steps=50",
    ]);
    assert!(done.status.success());
    out
}

/// `carom view` as long as this lives.
struct Viewer {
    process: Child,
    address: SocketAddr,
}

impl Viewer {
    fn new(folders: &[&Path]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(["view", "--no-open"])
            .args(folders)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap();
        let address = address.trim_end_matches('/').parse().unwrap();
        Self { process, address }
    }

    /// Sends a request as it is and returns status and body.
    fn ask(&self, request: &str) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, answer[end + 4..].to_vec())
    }

    fn get(&self, target: &str) -> (u16, Vec<u8>) {
        let host = self.address;
        self.ask(&format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n"))
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn only_the_files_of_runs_are_served() {
    let place = folder("view-files");
    let out = run(&place, "double-pendulum");
    fs::write(place.join("secret.txt"), "secret").unwrap();
    fs::write(out.join("secret.txt"), "secret").unwrap();
    // A link out of the folder under a name that is served.
    fs::remove_file(out.join("contacts.csv")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(place.join("secret.txt"), out.join("contacts.csv")).unwrap();
    let viewer = Viewer::new(&[&out]);
    assert_eq!(viewer.get("/run/0/summary.json").0, 200);
    assert_eq!(
        viewer.get("/run/0/trajectory.npy").1,
        fs::read(out.join("trajectory.npy")).unwrap()
    );
    let (status, page) = viewer.get("/?again");
    assert_eq!(status, 200);
    assert!(String::from_utf8(page).unwrap().contains("carom-reports"));
    for target in [
        "/run/0/secret.txt",
        "/run/0/.carom",
        "/run/0/contacts.csv",
        "/run/0/../secret.txt",
        "/run/0/%2e%2e/secret.txt",
        "/run/0/..%2fsecret.txt",
        "/run/0//etc/passwd",
        "/run/0/",
        "/run/0",
        "/run/1/summary.json",
        "/run/-1/summary.json",
        "/run/99999999999999999999/summary.json",
        "/secret.txt",
        "/../secret.txt",
        "//",
        "/etc/passwd",
        "http://127.0.0.1/run/0/secret.txt",
        "",
    ] {
        let (status, body) = viewer.get(target);
        assert_eq!(status, 404, "{target}");
        assert!(
            !String::from_utf8_lossy(&body).contains("secret"),
            "{target}"
        );
    }
}

#[test]
fn strange_requests_are_refused() {
    let out = run(&folder("view-strange"), "double-pendulum");
    let viewer = Viewer::new(&[&out]);
    let host = viewer.address;
    assert_eq!(
        viewer
            .ask(&format!("POST / HTTP/1.1\r\nHost: {host}\r\n\r\n"))
            .0,
        405
    );
    // A name of another site that leads to this machine.
    assert_eq!(
        viewer.ask("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n").0,
        403
    );
    assert_eq!(viewer.ask("GET / HTTP/1.1\r\n\r\n").0, 403);
    assert_eq!(viewer.ask("\r\n\r\n").0, 405);
    let long = format!(
        "GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n",
        "a".repeat(10_000)
    );
    assert_eq!(viewer.ask(&long).0, 404);
    let head = viewer.ask(&format!(
        "HEAD /run/0/summary.json HTTP/1.1\r\nHost: {host}\r\n\r\n"
    ));
    assert_eq!(head, (200, Vec::new()));
    // And it still answers.
    assert_eq!(viewer.get("/").0, 200);
}

#[test]
fn it_listens_on_loopback_only() {
    let out = run(&folder("view-loopback"), "double-pendulum");
    let viewer = Viewer::new(&[&out]);
    assert!(viewer.address.ip().is_loopback());
    // The address of this machine in its network, if it has one; nothing is sent.
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    let outside = socket
        .connect("192.0.2.1:9")
        .and_then(|()| socket.local_addr())
        .map(|address| address.ip());
    if let Ok(ip @ IpAddr::V4(_)) = outside
        && !ip.is_loopback()
    {
        let there = SocketAddr::new(ip, viewer.address.port());
        assert!(TcpStream::connect_timeout(&there, Duration::from_secs(2)).is_err());
    }
}

#[test]
fn several_runs_share_a_page() {
    let place = folder("view-several");
    let (rest, wild) = (
        run(&place, "cart-pendulum:rest"),
        run(&place, "cart-pendulum:wild"),
    );
    let viewer = Viewer::new(&[&rest, &wild]);
    let page = String::from_utf8(viewer.get("/").1).unwrap();
    assert!(page.contains("<title>cart-pendulum:rest | cart-pendulum:wild</title>"));
    assert_eq!(viewer.get("/run/1/summary.json").0, 200);
}

#[test]
fn folders_without_a_report_are_bad_input() {
    let place = folder("view-none");
    for command in ["view", "figure"] {
        let none = carom(&[command, text(&place.join("none"))]);
        assert_eq!(none.status.code(), Some(2));
        let message = String::from_utf8_lossy(&none.stderr).into_owned();
        assert!(
            message.contains("report.html") && message.contains("help:"),
            "{message}"
        );
    }
    fs::write(place.join("report.html"), "<html>something else</html>").unwrap();
    let other = carom(&["view", text(&place)]);
    assert_eq!(other.status.code(), Some(2));
}

#[test]
fn figures_are_svg_and_png() {
    let place = folder("figures");
    for example in ["double-pendulum", "cart-pendulum", "tumbling", "bead-chain"] {
        let out = run(&place, example);
        let done = carom(&["figure", text(&out), "--panels", "3", "--scale", "1"]);
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
        let listed = String::from_utf8(done.stdout).unwrap();
        for name in ["motion", "energy", "linear-momentum", "angular-momentum"] {
            assert!(listed.contains(&format!("figure-{name}.svg")), "{listed}");
            let svg = fs::read_to_string(out.join(format!("figure-{name}.svg"))).unwrap();
            assert!(svg.starts_with("<svg") && !svg.contains("NaN") && !svg.contains("inf"));
            let png = fs::read(out.join(format!("figure-{name}.png"))).unwrap();
            assert!(png.starts_with(b"\x89PNG") && png.len() > 500);
        }
        // The folder can be used again: figures are carom's files.
        run(&place, example);
        assert!(!out.join("figure-energy.svg").exists());
    }
    let bad = carom(&["figure", text(&place.join("tumbling")), "--panels", "0"]);
    assert_eq!(bad.status.code(), Some(2));
}

#[test]
fn runs_of_one_scenario_are_named_after_their_folders() {
    let place = folder("view-twins");
    let out = |name: &str| {
        let out = place.join(name);
        let set = ["--set", "simulate.steps=5"];
        let run = ["run", "double-pendulum", "--out", text(&out), "--quiet"];
        assert!(carom(&[&run[..], &set].concat()).status.success());
        out
    };
    let (fine, coarse, other) = (out("fine"), out("coarse"), out("again/fine"));
    let both = place.join("both.html");
    let names = |folders: &[&Path]| -> Vec<String> {
        let folders: Vec<&str> = folders.iter().map(|f| text(f)).collect();
        let write = ["--write", text(&both)];
        assert!(
            carom(&[&["view"], &folders[..], &write].concat())
                .status
                .success()
        );
        let page = fs::read_to_string(&both).unwrap();
        let data = page.split("id=\"carom-reports\">").nth(1).unwrap();
        let data = data.split("</script>").next().unwrap();
        let reports: Vec<serde_json::Value> = serde_json::from_str(data).unwrap();
        let name = |report: &serde_json::Value| report["name"].as_str().unwrap().to_string();
        reports.iter().map(name).collect()
    };
    assert_eq!(names(&[&fine]), ["double-pendulum"]);
    assert_eq!(names(&[&fine, &coarse]), ["fine", "coarse"]);
    assert_eq!(names(&[&fine, &other]), [text(&fine), text(&other)]);
}
