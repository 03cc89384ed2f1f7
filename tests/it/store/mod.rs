mod append_only;
mod constraints;
mod lists;
mod pool;
mod set_up;
mod write;
