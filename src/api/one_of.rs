//! Schemas of unions, as generators of clients want them (api.md A1): every variant a named schema with a one-valued `type`,
//! the union a `oneOf` of references with a discriminator and its mapping.

use utoipa::openapi::schema::{Discriminator, Object, OneOf, Schema, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr};

/// The schema of a union of named schemas, each under the value of `type` that stands for it.
pub(crate) fn union_schema<'a>(description: &str, variants: impl IntoIterator<Item = (&'a str, &'a str)>) -> Schema {
    let mut union = OneOf::new();
    let mut discriminator = Discriminator::new("type");
    for (tag, name) in variants {
        let reference = format!("#/components/schemas/{name}");
        union.items.push(RefOr::Ref(Ref::new(reference.clone())));
        discriminator.mapping.insert(tag.to_owned(), reference);
    }
    union.discriminator = Some(discriminator);
    union.description = Some(description.to_owned());
    Schema::OneOf(union)
}

/// `object` with a required `type` that has one value.
pub(crate) fn with_type(schema: RefOr<Schema>, tag: &str) -> RefOr<Schema> {
    let mut object = match schema {
        RefOr::T(Schema::Object(object)) => object,
        RefOr::T(_) | RefOr::Ref(_) => Object::new(),
    };
    let mut type_ = Object::with_type(SchemaType::new(Type::String));
    type_.enum_values = Some(vec![tag.into()]);
    object.properties.insert("type".to_owned(), RefOr::T(Schema::Object(type_)));
    object.required.push("type".to_owned());
    RefOr::T(Schema::Object(object))
}

/// A union for bodies and answers: one struct a variant, and an enum of them that is told apart by `type`.
macro_rules! one_of {
    ($(#[doc = $doc:literal])* pub enum $union:ident {
        $($(#[doc = $variant_doc:literal])* $tag:literal $variant:ident {
            $($(#[$field_meta:meta])* $field:ident: $type:ty,)*
        })*
    }) => {
        $(
            $(#[doc = $variant_doc])*
            #[derive(Clone, Debug, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
            #[serde(deny_unknown_fields)]
            pub struct $variant { $($(#[$field_meta])* pub $field: $type,)* }
        )*

        $(#[doc = $doc])*
        #[derive(Clone, Debug, serde::Serialize)]
        #[serde(tag = "type")]
        #[expect(missing_docs, reason = "each variant is documented at the struct of its name")]
        pub enum $union { $(#[serde(rename = $tag)] $variant($variant),)* }

        impl<'de> Deserialize<'de> for $union {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                union::deserialize(deserializer, &[$($tag,)*], |name, fields| match name {
                    $($tag => fields.read().map($union::$variant),)*
                    other => Err(fields.unknown_type(other)),
                })
            }
        }

        impl utoipa::PartialSchema for $union {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                let description = concat!($($doc,)*).trim();
                let variants = [$(($tag, stringify!($variant)),)*];
                crate::api::one_of::union_schema(description, variants).into()
            }
        }

        impl utoipa::ToSchema for $union {
            fn schemas(
                schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>)>,
            ) {
                $(
                    let schema = <$variant as utoipa::PartialSchema>::schema();
                    schemas.push((stringify!($variant).to_owned(), crate::api::one_of::with_type(schema, $tag)));
                    <$variant as utoipa::ToSchema>::schemas(schemas);
                )*
            }
        }
    };
}
pub(crate) use one_of;
