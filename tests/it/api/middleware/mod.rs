mod frame;
mod limits;
mod panics;
