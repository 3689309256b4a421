//! The description of the interface says what the code does: every route, every field, every answer.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::support::Server;

fn document() -> Value {
    serde_json::from_str(web::OPENAPI).expect("JSON")
}

#[test]
fn every_route_is_described_and_no_other() {
    let described: BTreeSet<(String, String)> = document()["paths"]
        .as_object()
        .expect("paths")
        .iter()
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().expect("methods").keys();
            methods.map(|method| (method.to_uppercase(), path.clone())).collect::<Vec<_>>()
        })
        .collect();
    let known = web::ROUTES.iter().map(|route| (route.method.to_owned(), route.path.to_owned())).collect();
    assert_eq!(described, known);
}

/// The fields of the structures of the source, and whether each may be left out.
fn fields() -> BTreeMap<String, BTreeMap<String, (String, bool)>> {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/api")).expect("a folder");
    let read =
        |file: std::io::Result<std::fs::DirEntry>| std::fs::read_to_string(file.expect("a file").path());
    let source = files.map(|file| read(file).expect("a text")).collect::<Vec<String>>().concat();
    let mut found = BTreeMap::new();
    for part in source.split("pub struct ").skip(1) {
        let (name, rest) = part.split_once(" {").expect("a structure");
        let (body, _) = rest.split_once("\n}").expect("its end");
        let mut fields = BTreeMap::new();
        let mut optional = false;
        for line in body.lines().map(str::trim) {
            if line.starts_with("#[serde(default") {
                optional = true;
            } else if let Some((field, kind)) =
                line.strip_prefix("pub ").and_then(|line| line.split_once(": "))
            {
                fields.insert(field.to_owned(), (kind.trim_end_matches(',').to_owned(), optional));
                optional = false;
            }
        }
        found.insert(name.to_owned(), fields);
    }
    found
}

/// The type of a field as the description has it.
fn schema(kind: &str) -> Value {
    if let Some(inner) = kind.strip_prefix("Option<").and_then(|kind| kind.strip_suffix('>')) {
        let mut inner = schema(inner);
        if inner.get("$ref").is_some() {
            return json!({ "oneOf": [inner, { "type": "null" }] });
        }
        inner["type"] = json!([inner["type"], "null"]);
        return inner;
    }
    if let Some(inner) = kind.strip_prefix("Vec<").and_then(|kind| kind.strip_suffix('>')) {
        return json!({ "type": "array", "items": schema(inner) });
    }
    match kind {
        "String" => json!({ "type": "string" }),
        "bool" => json!({ "type": "boolean" }),
        "f64" => json!({ "type": "number" }),
        "i32" => json!({ "type": "integer" }),
        "usize" | "u64" | "u32" | "u8" => json!({ "type": "integer", "minimum": 0 }),
        name => json!({ "$ref": format!("#/components/schemas/{name}") }),
    }
}

#[test]
fn every_field_is_described_and_no_other() {
    let document = document();
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let sources = fields();
    let described: BTreeSet<&String> = schemas.keys().filter(|name| *name != "SeatWish").collect();
    assert_eq!(described, sources.keys().collect());
    for (name, fields) in &sources {
        let properties = schemas[name]["properties"].as_object().expect("properties");
        let names: BTreeSet<&String> = properties.keys().collect();
        assert_eq!(names, fields.keys().collect(), "{name}");
        let required: BTreeSet<&str> =
            schemas[name]["required"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        for (field, (kind, optional)) in fields {
            let mut property = properties[field].clone();
            let told = property.as_object_mut().and_then(|property| property.remove("description"));
            assert!(
                told.is_some_and(|told| told.as_str().is_some_and(|told| !told.is_empty())),
                "{name}.{field}"
            );
            if let Some(one) = property.get("allOf").and_then(|all| all.get(0)) {
                property = one.clone();
            }
            assert_eq!(property, schema(kind), "{name}.{field}");
            assert_eq!(required.contains(field.as_str()), !optional, "{name}.{field}");
        }
    }
}

/// What is wrong with a value by its schema.
fn judge(document: &Value, schema: &Value, value: &Value, place: &str, wrong: &mut Vec<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        let pointer = name.trim_start_matches('#');
        return judge(document, document.pointer(pointer).expect("a schema"), value, place, wrong);
    }
    for all in schema["allOf"].as_array().into_iter().flatten() {
        judge(document, all, value, place, wrong);
    }
    if let Some(any) = schema["oneOf"].as_array() {
        let fits = |one: &Value| {
            let mut wrong = Vec::new();
            judge(document, one, value, place, &mut wrong);
            wrong.is_empty()
        };
        if !any.iter().any(fits) {
            wrong.push(format!("{place} fits nothing: {value}"));
        }
        return;
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_u64() || number.is_i64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let allowed: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => return,
    };
    let fits = allowed.contains(&kind) || kind == "integer" && allowed.contains(&"number");
    if !fits {
        wrong.push(format!("{place} is {kind}, not {allowed:?}"));
    }
    for (at, item) in value.as_array().into_iter().flatten().enumerate() {
        judge(document, &schema["items"], item, &format!("{place}[{at}]"), wrong);
    }
    let (Some(properties), Some(object)) = (schema["properties"].as_object(), value.as_object()) else {
        return;
    };
    for (name, value) in object {
        match properties.get(name) {
            Some(schema) => judge(document, schema, value, &format!("{place}.{name}"), wrong),
            None => wrong.push(format!("{place}.{name} is not described")),
        }
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !object.contains_key(name) {
            wrong.push(format!("{place}.{name} is missing"));
        }
    }
}

/// Every route is asked once, and answers as it is described.
#[test]
fn every_route_answers_as_it_is_described() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&folder.path().join("web.db"));
    let document = document();
    let mut asked = BTreeSet::new();
    let mut ask = |method: &str, route: &str, path: &str, keys: &str, body: Option<Value>| -> Value {
        asked.insert((method.to_owned(), route.to_owned()));
        let operation = &document["paths"][route][method.to_lowercase()];
        if let (Some(body), Some(schema)) =
            (&body, operation.pointer("/requestBody/content/application~1json/schema"))
        {
            let mut wrong = Vec::new();
            judge(&document, schema, body, "the request", &mut wrong);
            assert!(wrong.is_empty(), "{method} {route}: {wrong:?}");
        }
        let text = body.map(|body| body.to_string());
        let answer = server.send(method, path, &[("X-Ludens-Keys", keys)], text.as_deref());
        let described = &operation["responses"][answer.status.to_string()];
        assert!(described.is_object(), "{method} {path} answers {}: {}", answer.status, answer.body);
        let Some(schema) = described.pointer("/content/application~1json/schema") else { return Value::Null };
        let value = answer.json();
        let mut wrong = Vec::new();
        judge(&document, schema, &value, "the answer", &mut wrong);
        assert!(wrong.is_empty(), "{method} {route}: {wrong:?}");
        value
    };
    ask("GET", "/api/about", "/api/about", "", None);
    ask("GET", "/api/openapi.json", "/api/openapi.json", "", None);
    ask("GET", "/api/games", "/api/games", "", None);
    let game = ask("GET", "/api/games/{game}", "/api/games/tic-tac-toe", "", None);
    ask("GET", "/api/games/{game}/picture.svg", "/api/games/tic-tac-toe/picture.svg", "", None);
    ask("POST", "/api/check", "/api/check", "", Some(json!({ "rules": game["rules"] })));
    ask("POST", "/api/check", "/api/check", "", Some(json!({ "rules": "(role a", "quick": true })));
    ask("POST", "/api/format", "/api/format", "", Some(json!({ "rules": game["rules"] })));
    let seats = json!([{ "kind": "person", "name": "Ada" }, { "kind": "agent", "level": "medium" }]);
    let wish = json!({ "game": "tic-tac-toe", "seats": seats });
    let made = ask("POST", "/api/matches", "/api/matches", "", Some(wish));
    let id = made["id"].as_str().expect("an id").to_owned();
    let keys = format!(
        "{},{}",
        made["owner"].as_str().expect("a key"),
        made["keys"][0]["key"].as_str().expect("a key")
    );
    let route = |rest: &str| format!("/api/matches/{{match}}{rest}");
    let path = |rest: &str| format!("/api/matches/{id}{rest}");
    let of = |rest: &str| (route(rest), path(rest));
    let mut of_match = |method: &str, rest: &str, body: Option<Value>| {
        let (route, path) = of(rest);
        ask(method, &route, &path, &keys, body)
    };
    of_match("GET", "", None);
    of_match("POST", "/hint", Some(json!({ "role": 0 })));
    of_match("POST", "/moves", Some(json!({ "role": 0, "text": "(mark 1 1)", "turn": 0 })));
    server.until(&id, &keys, |view| view["turns"].as_array().is_some_and(|turns| turns.len() == 2));
    of_match("GET", "", None);
    of_match("POST", "/pause", Some(json!({ "paused": true })));
    of_match("POST", "/undo", Some(json!({})));
    of_match("POST", "/seats", Some(json!({ "role": 1, "seat": { "kind": "person" } })));
    let record = of_match("GET", "/record", None);
    of_match("POST", "/rematch", Some(json!({})));
    of_match("POST", "/why", Some(json!({ "step": 0, "sentence": "(legal x (mark 1 1))" })));
    ask("GET", &route("/positions/{step}"), &path("/positions/0"), &keys, None);
    ask("GET", "/api/matches", "/api/matches", "", None);
    ask("POST", "/api/records", "/api/records", "", Some(json!({ "text": record.to_string() })));
    ask("DELETE", &route(""), &path(""), &keys, None);
    let look = json!({ "rules": game["rules"], "line": 3, "column": 9 });
    ask("POST", "/api/look", "/api/look", "", Some(look));
    let why = json!({ "rules": game["rules"], "sentence": "terminal" });
    ask("POST", "/api/why", "/api/why", "", Some(why));
    let wish = json!({ "games": ["tic-tac-toe"], "players": ["random", "mc@5"], "matches": 2 });
    let made = ask("POST", "/api/tournaments", "/api/tournaments", "", Some(wish));
    let (id, owner) = (made["id"].as_str().expect("an id"), made["owner"].as_str().expect("a key"));
    let route = |rest: &str| format!("/api/tournaments/{{tournament}}{rest}");
    let path = |rest: &str| format!("/api/tournaments/{id}{rest}");
    server.until_done(id);
    ask("GET", &route(""), &path(""), owner, None);
    ask("GET", &route("/matches/{from}"), &path("/matches/0"), "", None);
    ask("GET", "/api/ended/{from}", "/api/ended/0", "", None);
    ask("GET", "/api/tournaments", "/api/tournaments", "", None);
    ask("POST", &route("/pause"), &path("/pause"), owner, Some(json!({ "paused": true })));
    ask("DELETE", &route(""), &path(""), owner, None);
    ask("GET", "/api/video-games", "/api/video-games", "", None);
    ask("GET", "/api/video-games/{game}", "/api/video-games/lantern", "", None);
    let wish = json!({ "game": "lantern", "players": ["person"], "paused": true });
    let made = ask("POST", "/api/videos", "/api/videos", "", Some(wish));
    let (id, owner) = (made["id"].as_str().expect("an id"), made["owner"].as_str().expect("a key"));
    let route = |rest: &str| format!("/api/videos/{{video}}{rest}");
    let path = |rest: &str| format!("/api/videos/{id}{rest}");
    let strokes = json!({ "player": 0, "keys": [{ "key": "left", "down": true }] });
    ask("POST", &route("/keys"), &path("/keys"), owner, Some(strokes));
    ask("POST", &route("/pace"), &path("/pace"), owner, Some(json!({ "steps": 3, "speed": 30.0 })));
    ask("GET", &route("/frames/{tick}"), &path("/frames/2"), "", None);
    ask("GET", &route("/record"), &path("/record"), "", None);
    ask("GET", &route(""), &path(""), owner, None);
    ask("DELETE", &route(""), &path(""), owner, None);
    // Events have tests of their own: they do not end.
    asked.insert(("GET".to_owned(), "/api/matches/{match}/events".to_owned()));
    asked.insert(("GET".to_owned(), "/api/tournaments/events".to_owned()));
    asked.insert(("GET".to_owned(), "/api/videos/{video}/events".to_owned()));
    let known = web::ROUTES.iter().map(|route| (route.method.to_owned(), route.path.to_owned())).collect();
    assert_eq!(asked, known);
}
