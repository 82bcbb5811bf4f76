use std::path::Path;
fn main() {
    let directory = std::env::args().nth(1).expect("usage: generate DIRECTORY");
    let root = Path::new(&directory);
    let grammar = root.join("src/grammar.json");
    if let Err(error) = tree_sitter_generate::generate_parser_in_directory(root, None, grammar.to_str(), 14, None, None) {
        eprintln!("{error}");
        std::process::exit(1);
    }
}
