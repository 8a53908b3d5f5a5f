-- Who there is: people, organizations, projects, and the ways to prove who one is.

create table organization (
  id uuid primary key,
  name text not null,
  slug text not null unique,
  logo_media_id uuid,
  is_member_join_email_enabled boolean not null default true,
  enforce_2fa boolean,
  plugins_access_level smallint not null default 9,
  customer_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table project (
  id integer generated always as identity primary key,
  uuid uuid not null unique,
  organization_id uuid not null references organization on delete cascade,
  name text not null,
  api_token text not null unique,
  timezone text not null default 'UTC',
  week_start_day smallint,
  access_control boolean not null default false,
  is_demo boolean not null default false,
  ingested_event boolean not null default false,
  anonymize_ips boolean not null default false,
  completed_snippet_onboarding boolean not null default false,
  has_completed_onboarding_for jsonb,
  app_urls jsonb not null default '[]',
  recording_domains jsonb,
  slack_incoming_webhook text,
  test_account_filters jsonb not null default '[]',
  test_account_filters_default_checked boolean,
  path_cleaning_filters jsonb,
  data_attributes jsonb not null default '["data-attr"]',
  person_display_name_properties jsonb,
  live_events_columns jsonb,
  autocapture_opt_out boolean,
  session_recording_opt_in boolean not null default false,
  extra_settings jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index project_organization on project (organization_id, id);

-- An uploaded picture, such as an organization's logo.
create table media (
  id uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  file_name text not null,
  content_type text not null,
  content bytea not null,
  created_by integer,
  created_at timestamptz not null
);
create index media_organization on media (organization_id);
create index media_created_by on media (created_by);
alter table organization
  add foreign key (logo_media_id) references media on delete set null;
create index organization_logo on organization (logo_media_id);

create table app_user (
  id integer generated always as identity primary key,
  uuid uuid not null unique,
  distinct_id text not null unique,
  email text not null,
  password_hash text,
  first_name text not null default '',
  last_name text not null default '',
  is_email_verified boolean,
  is_active boolean not null default true,
  is_staff boolean not null default false,
  email_opt_in boolean not null default false,
  anonymize_data boolean not null default false,
  theme_mode text,
  toolbar_mode text,
  hedgehog_config jsonb,
  notification_settings jsonb not null default '{}',
  events_column_config jsonb not null default '{"active": "DEFAULT"}',
  current_organization_id uuid references organization on delete set null,
  current_project_id integer references project on delete set null,
  date_joined timestamptz not null,
  last_login timestamptz
);
create unique index app_user_email on app_user (lower(email));
create index app_user_current_organization on app_user (current_organization_id);
create index app_user_current_project on app_user (current_project_id);
alter table media add foreign key (created_by) references app_user on delete set null;

create table membership (
  id uuid primary key,
  organization_id uuid not null references organization on delete cascade,
  user_id integer not null references app_user on delete cascade,
  level smallint not null check (level in (1, 8, 15)),
  joined_at timestamptz not null,
  updated_at timestamptz not null,
  unique (organization_id, user_id)
);
create index membership_user on membership (user_id);

-- Who may see a private project besides the organization's administrators.
create table project_grant (
  project_id integer not null references project on delete cascade,
  user_id integer not null references app_user on delete cascade,
  level smallint not null check (level in (1, 8)),
  primary key (project_id, user_id)
);
create index project_grant_user on project_grant (user_id);

create table personal_api_key (
  id text primary key,
  user_id integer not null references app_user on delete cascade,
  label text not null,
  value_hash text not null unique,
  mask_value text not null,
  scopes text[] not null,
  scoped_teams integer[] not null default '{}',
  scoped_organizations uuid[] not null default '{}',
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index personal_api_key_user on personal_api_key (user_id);

create table session (
  id_hash text primary key,
  user_id integer not null references app_user on delete cascade,
  csrf_token text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index session_of_user on session (user_id);
create index session_expires_at on session (expires_at);

create table activity_log (
  id uuid primary key,
  organization_id uuid references organization on delete cascade,
  project_id integer,
  user_id integer references app_user on delete set null,
  activity text not null,
  scope text not null,
  item_id text not null,
  detail jsonb not null,
  created_at timestamptz not null
);
create index activity_log_organization on activity_log (organization_id, scope, id desc);
create index activity_log_project on activity_log (project_id, scope, id desc);
create index activity_log_user on activity_log (user_id);

-- Event data to be deleted later by schedule: of a whole project, or of one person. The rows outlive
-- the project, so there is no foreign key.
create table data_deletion (
  id uuid primary key,
  kind text not null check (kind in ('project', 'person')),
  project_id integer not null,
  key text not null,
  created_by integer,
  created_at timestamptz not null,
  finished_at timestamptz,
  unique (kind, project_id, key)
);
