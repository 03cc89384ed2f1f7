mod frame;
mod limits;
