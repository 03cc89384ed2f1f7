mod list;
mod submit;
