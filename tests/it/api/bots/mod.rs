mod list;
mod seat;
