mod append_only;
mod constraints;
mod due;
mod lists;
mod pool;
mod set_up;
mod write;
