//! A request's body, and whether it was read to its end.
//!
//! actix throws away what is left of a chunked body, for as long as it comes, once nobody holds the body any more; only of a
//! body that is still held does it say `Connection: close`, wait a moment for the rest, and hang up. So what was not read to
//! its end is held until its answer has been sent.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use actix_web::{
    HttpMessage as _,
    body::{BodySize, BoxBody, MessageBody},
    dev::{Payload, ServiceRequest},
    error::PayloadError,
    web::Bytes,
};
use futures_util::Stream;

use crate::api::connections::{Answering, Watched};

/// What is held of a request until it is answered: its body, and that its connection is at work.
pub struct Held {
    body: Option<Incoming>,
    answering: Option<Answering>,
}

impl Held {
    /// Takes hold of a request, whose body is read by way of this from now on.
    pub fn of(request: &mut ServiceRequest) -> Self {
        let answering = request.conn_data::<Watched>().map(Watched::answering);
        let body = match request.take_payload() {
            Payload::None => None,
            payload => {
                let incoming = Incoming(Rc::new(RefCell::new(Body { payload, ended: false })));
                request.set_payload(Payload::Stream { payload: Box::pin(incoming.clone()) });
                Some(incoming)
            }
        };
        Self { body, answering }
    }

    /// The answer's body, until whose end everything is held that must be.
    pub fn until_sent(self, answer: BoxBody) -> BoxBody {
        let body = self.body.filter(|body| !body.0.borrow().ended);
        BoxBody::new(Outgoing { answer, _held: Self { body, answering: self.answering } })
    }
}

struct Body {
    payload: Payload,
    ended: bool,
}

#[derive(Clone)]
struct Incoming(Rc<RefCell<Body>>);

impl Stream for Incoming {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut body = self.0.borrow_mut();
        let part = ready!(Pin::new(&mut body.payload).poll_next(cx));
        body.ended = part.is_none();
        Poll::Ready(part)
    }
}

struct Outgoing {
    answer: BoxBody,
    _held: Held,
}

impl MessageBody for Outgoing {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.answer.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.answer).poll_next(cx)
    }
}
