mod create;
mod refresh;
