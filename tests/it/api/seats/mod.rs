mod leave;
mod take;
