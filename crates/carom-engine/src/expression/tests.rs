use super::*;

fn value(text: &str) -> f64 {
    Expression::parse(text).unwrap().eval(&|_| None).unwrap()
}

#[test]
fn arithmetic_follows_the_usual_rules() {
    for (text, expected) in [
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("-2^2", -4.0),
        ("2^3^2", 512.0),
        ("2^-1", 0.5),
        ("2**3", 8.0),
        ("8/4/2", 1.0),
        ("1 - 2 - 3", -4.0),
        ("--3", 3.0),
        ("2*-3", -6.0),
        ("1 < 2", 1.0),
        ("1 + 1 == 2", 1.0),
        ("3 != 3", 0.0),
        ("1.5e-3*2", 3e-3),
        (".5 + 2.", 2.5),
        ("sqrt(2)^2 - 2 < 1e-15", 1.0),
        ("max(1, 2, 3) - min(4, 5)", -1.0),
        ("if(2 > 1, 10, 1/0)", 10.0),
        ("clamp(7, -1, 1) + step(0) + step(-1)", 2.0),
        ("sign(-3) + sign(0) + floor(2.7)", 1.0),
        ("hypot(3, 4) + atan2(0, 1) + log(e)", 6.0),
        ("cos(pi)", -1.0),
        (" \t1 \n", 1.0),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn errors_have_a_column_and_a_fix() {
    for (text, column) in [
        ("", 1),
        ("1 +", 4),
        ("1 + * 2", 5),
        ("(1 + 2", 1),
        ("1 + 2)", 6),
        ("2 l", 3),
        ("1,5", 2),
        ("sin()", 1),
        ("1 + foo(2)", 5),
        ("é § 3", 3),
        ("1e999", 1),
        ("..", 1),
        ("2 $ 3", 3),
    ] {
        let error = Expression::parse(text).unwrap_err();
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(!error.fix.is_empty());
    }
    let error = Expression::parse("1/0").unwrap().eval(&|_| None);
    assert!(error.unwrap_err().message.contains("inf"));
    let error = Expression::parse("2*width").unwrap().eval(&|_| None);
    assert_eq!(error.unwrap_err().unknown.as_deref(), Some("width"));
}

#[test]
fn hostile_text_is_refused() {
    for text in [
        "(".repeat(4000),
        "-".repeat(4000),
        "2^".repeat(2000),
        "min(1,".repeat(600),
        format!("{}1{}", "min(1,2,3,4,5,6,7,8,".repeat(60), ")".repeat(60)),
        "1+".repeat(100_000),
    ] {
        assert!(Expression::parse(&text).is_err());
    }
    // Long but flat is fine.
    assert_eq!(value(&format!("1{}", "+1".repeat(1999))), 2000.0);
}

#[test]
fn binding_and_compiling_keep_the_value() {
    let expression = Expression::parse("a*t + b*t^2 + a").unwrap();
    let bound = expression.bind(&|name| (name == "a").then_some(2.0));
    assert_eq!(bound.variables().collect::<Vec<_>>(), ["t", "b"]);
    let compiled = bound.compile(&["b", "t"]).unwrap();
    assert_eq!(compiled.eval(&[5.0, 3.0]), 2.0 * 3.0 + 5.0 * 9.0 + 2.0);
    assert_eq!(expression.compile(&["t"]).unwrap_err().column, 1);
}

#[test]
fn derivatives_by_finite_differences() {
    let names = ["a.x", "b", "c"];
    for text in [
        "a.x*b - c/a.x + 2*b",
        "a.x^2 * b^3 + c^-1",
        "a.x^b",
        "sqrt(a.x) + sin(b*c) * cos(a.x) + tan(b)",
        "asin(a.x/2) + acos(b/2) + atan(c) + atan2(a.x, b)",
        "exp(a.x*b) + log(c + b) - abs(-c)",
        "min(a.x, b*c) + max(a.x, b) + clamp(c, 0, 1)*b",
        "if(a.x > b, a.x*c, b^2) + hypot(a.x, b, c)",
        "-(a.x - b)^2",
        "floor(b) + sign(c)*a.x + step(a.x)",
    ] {
        let f = Expression::parse(text).unwrap().compile(&names).unwrap();
        let x = [0.7, 0.4, 1.3];
        let jet = f.jet(&x);
        assert_eq!(jet.value, f.eval(&x), "{text}");
        let e = 1e-5;
        for i in 0..3 {
            let at = |s: f64| {
                let mut x = x;
                x[i] += s;
                f.jet(&x)
            };
            let (up, down) = (at(e), at(-e));
            let slope = (up.value - down.value) / (2.0 * e);
            assert!((slope - jet.gradient[i]).abs() < 1e-8, "{text} by {i}");
            for j in 0..3 {
                let bend = (up.gradient[j] - down.gradient[j]) / (2.0 * e);
                assert!(
                    (bend - jet.hessian[3 * i + j]).abs() < 1e-7,
                    "{text} by {i}, {j}"
                );
            }
        }
    }
    let corner = |text| {
        Expression::parse(text)
            .unwrap()
            .compile(&["a"])
            .unwrap()
            .corner()
    };
    assert_eq!(corner("1 + 2*abs(a)"), Some("abs"));
    assert_eq!(corner("sqrt(a^2 + 1)"), None);
    // Squares of what is zero have no logarithm.
    let square = Expression::parse("a^2").unwrap().compile(&["a"]).unwrap();
    assert_eq!(square.jet(&[0.0]).hessian, [2.0]);
}
