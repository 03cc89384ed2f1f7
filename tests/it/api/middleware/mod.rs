mod frame;
mod limits;
mod panics;
mod rates;
