//! A small web server for reports: it listens on the loopback address only, answers GET and HEAD,
//! and knows a fixed list of names. Nothing of a request ever becomes part of a path but a name of
//! that list.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use carom::report;

/// Files of a run that are served, with their types.
const FILES: &[(&str, &str)] = &[
    ("report.html", "text/html; charset=utf-8"),
    ("summary.json", "application/json"),
    ("scenario.toml", "text/plain; charset=utf-8"),
    ("contacts.csv", "text/csv; charset=utf-8"),
    ("trajectory.csv", "text/csv; charset=utf-8"),
    ("trajectory.npy", "application/octet-stream"),
    ("motion.glb", "model/gltf-binary"),
    ("controls.csv", "text/csv; charset=utf-8"),
    ("guess.csv", "text/csv; charset=utf-8"),
    ("reactions.csv", "text/csv; charset=utf-8"),
    ("plan.json", "application/json"),
];
/// Longest request line and headers together, in bytes.
const MOST_HEAD: u64 = 16 * 1024;
/// A client that says nothing is left alone after this time.
const PATIENCE: Duration = Duration::from_secs(10);

/// Serves the reports of some folders.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    folders: Arc<Vec<PathBuf>>,
}

/// An answer without its body.
struct Head {
    status: &'static str,
    kind: &'static str,
    length: u64,
}

impl Server {
    /// Listens on a port of the loopback address; 0 takes a free one.
    pub fn bind(port: u16, folders: Vec<PathBuf>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        Ok(Self {
            address: listener.local_addr()?,
            listener,
            folders: Arc::new(folders),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until the process ends, each on a thread of its own.
    pub fn run(&self) -> io::Result<()> {
        for stream in self.listener.incoming() {
            let Ok(stream) = stream else { continue };
            let (folders, port) = (Arc::clone(&self.folders), self.address.port());
            std::thread::spawn(move || {
                // A client that goes away is its own business.
                let _ = answer(&stream, &folders, port);
            });
        }
        Ok(())
    }
}

fn answer(stream: &TcpStream, folders: &[PathBuf], port: u16) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new(stream.take(MOST_HEAD));
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let mut host = None;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim_end().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("host")
        {
            host = Some(value.trim().to_string());
        }
    }
    let mut words = request.split_whitespace();
    let (method, target) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    // Another site that points its name at this machine must not read along.
    let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let with_body = match method {
        "GET" => true,
        "HEAD" => false,
        _ => return refuse(stream, "405 Method Not Allowed"),
    };
    if !host.is_some_and(|host| own.contains(&host)) {
        return refuse(stream, "403 Forbidden");
    }
    let path = target.split(['?', '#']).next().unwrap_or("");
    if path == "/" {
        return send_page(stream, folders, with_body);
    }
    match file_of(path, folders) {
        Some((file, kind)) => send_file(stream, file, kind, with_body),
        None => refuse(stream, "404 Not Found"),
    }
}

/// The file that `/run/NUMBER/NAME` means: a regular file inside its folder.
fn file_of(path: &str, folders: &[PathBuf]) -> Option<(File, &'static str)> {
    let (number, name) = path.strip_prefix("/run/")?.split_once('/')?;
    let folder = folders.get(number.parse::<usize>().ok()?)?;
    let (name, kind) = FILES.iter().find(|(known, _)| *known == name)?;
    // A link may lead out of the folder.
    let inside = folder.canonicalize().ok()?;
    let file = inside.join(name).canonicalize().ok()?;
    (file.parent() == Some(Path::new(&inside)) && file.is_file()).then_some(())?;
    Some((File::open(file).ok()?, kind))
}

/// The page of all reports, read anew at every request: loading it again shows a newer run.
fn send_page(stream: &TcpStream, folders: &[PathBuf], with_body: bool) -> io::Result<()> {
    let reports = report::read_all(folders);
    let (status, kind, body) = match reports {
        Ok(reports) => ("200 OK", FILES[0].1, report::page(&reports)),
        Err(error) => (
            "503 Service Unavailable",
            "text/plain; charset=utf-8",
            format!("{error}\n"),
        ),
    };
    let length = body.len() as u64;
    let head = Head {
        status,
        kind,
        length,
    };
    send(stream, &head, with_body.then_some(&mut body.as_bytes()))
}

fn send_file(stream: &TcpStream, file: File, kind: &'static str, body: bool) -> io::Result<()> {
    let length = file.metadata()?.len();
    let head = Head {
        status: "200 OK",
        kind,
        length,
    };
    send(stream, &head, body.then_some(&mut file.take(length)))
}

fn refuse(stream: &TcpStream, status: &'static str) -> io::Result<()> {
    let text = format!("{status}\n");
    let head = Head {
        status,
        kind: "text/plain; charset=utf-8",
        length: text.len() as u64,
    };
    send(stream, &head, Some(&mut text.as_bytes()))
}

fn send<R: Read>(mut stream: &TcpStream, head: &Head, body: Option<&mut R>) -> io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        head.status, head.kind, head.length
    )?;
    if let Some(body) = body {
        io::copy(body, &mut stream)?;
    }
    stream.flush()
}
