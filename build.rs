//! Builds again when a migration is added: `embed_migrations!` reads the folder, which cargo does not see.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
