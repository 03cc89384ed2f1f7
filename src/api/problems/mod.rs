//! What the problems mean, at the addresses that they carry as `type`.

pub mod list;
pub mod read;

use actix_web::HttpResponse;

/// A page of our own making, without script or style from anywhere.
fn page(title: &str, body: &str) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header(("Cache-Control", "public, max-age=3600"))
        .insert_header(("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"))
        .content_type("text/html; charset=utf-8")
        .body(format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\
             <meta name=\"viewport\" content=\"width=device-width\">\
             <style>body{{max-width:42em;margin:2em auto;padding:0 1em;font-family:sans-serif;line-height:1.5}}</style>\
             </head><body>{body}</body></html>\n"
        ))
}
