mod leave;
mod take;
mod vacate;
