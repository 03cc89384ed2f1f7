//! `fereta openapi`: the document on standard output, as `openapi/openapi.json` holds it.

use std::io::{self, Write as _};
use std::process::ExitCode;

use super::CliError;
use crate::api;

pub(super) fn openapi() -> Result<ExitCode, CliError> {
    io::stdout().write_all(api::openapi::document().as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
