-- Invitations to an organization, at most one per address. When one expires is a setting, so it is
-- computed from created_at and not stored.
create table invite (
  id uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  target_email text not null,
  first_name text not null,
  level smallint not null check (level in (1, 8, 15)),
  message text,
  private_project_access jsonb,
  send_email boolean not null,
  emailing_attempt_made boolean not null,
  created_by integer references app_user on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index invite_address on invite (organization_id, lower(target_email));
create index invite_newest on invite (organization_id, created_at desc, id desc);
create index invite_created_by on invite (created_by);
