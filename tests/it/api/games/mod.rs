mod close;
mod create;
mod list;
mod read;
mod start;
