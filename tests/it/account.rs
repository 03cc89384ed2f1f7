//! `fereta account`: an operator bans and lets in again, and it is felt at once.

use reqwest::Method;

use crate::support::Api;
use crate::support::database::SERVING;
use crate::support::process::program;

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_bans_by_name_or_id_and_lets_in_again() {
    let api = Api::start().await;
    let taro = api.account("花子 Ä").await;
    let id = taro["account"]["id"].as_str().unwrap();
    let operate = |what: &str, whose: &str| {
        let url = api.database.url(SERVING);
        let output = program().args(["account", "--database-url", &url, what, whose]).output().unwrap();
        (
            output.status.success(),
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(),
        )
    };
    for (what, whose, status) in
        [("ban", "花子 ä", 403), ("ban", id, 403), ("unban", id, 200), ("unban", "花子 Ä", 200)]
    {
        let (done, said) = operate(what, whose);
        assert!(done && said.contains(id) && said.contains("花子 Ä"), "{said}");
        assert_eq!(api.ask(&taro, Method::GET, "/v1/me", None).await.status(), status);
    }
    for nobody in ["Jiro", "00000000-0000-7000-8000-000000000000"] {
        let (done, said) = operate("ban", nobody);
        assert!(!done && said.contains("there is no account"), "{said}");
    }
}
