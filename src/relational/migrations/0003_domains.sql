-- Domains that organizations own or claim to own. One domain belongs to one organization of the instance.

create table organization_domain (
  id uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  domain text collate "C" not null unique,
  verification_challenge text not null,
  verified_at timestamptz,
  last_verification_retry timestamptz,
  jit_provisioning_enabled boolean not null default false,
  sso_enforcement text not null default '',
  saml_entity_id text,
  saml_acs_url text,
  saml_x509_cert text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index organization_domain_organization on organization_domain (organization_id, domain);
