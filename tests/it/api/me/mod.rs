mod delete;
mod read;
mod set_password;
mod standing;
mod update;
