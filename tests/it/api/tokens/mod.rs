mod create;
mod delete;
mod forged;
mod refresh;
