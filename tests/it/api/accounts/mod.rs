mod create;
mod create_guest;
