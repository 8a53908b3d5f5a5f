-- Persons, their distinct ids, groups, and what ingestion keeps beside them. No foreign key to project: its
-- data is deleted by schedule, after it. Properties are `json`, not `jsonb`: what came is what is read back,
-- huge numbers and odd escapes included; filters run on the columnar copies.
create table person (
  id bigint generated always as identity primary key,
  project_id integer not null,
  uuid uuid not null,
  properties json not null,
  is_identified boolean not null,
  created_at timestamptz not null,
  -- Grows by one with every change: what a writer read is still true when it is unchanged.
  version integer not null default 1,
  -- Of the state in `properties`; events name the state they saw by it.
  snapshot_id bigint not null,
  unique (project_id, uuid)
);
create sequence person_snapshot;

create table person_distinct_id (
  project_id integer not null,
  distinct_id text not null,
  person_id bigint not null references person on delete cascade,
  -- Order of arrival.
  id bigint generated always as identity,
  primary key (project_id, distinct_id)
);
create index person_distinct_id_person on person_distinct_id (person_id, id);

-- A deleted person's uuid is never given again; its distinct ids start over as `successor`.
create table person_tombstone (
  project_id integer not null,
  uuid uuid not null,
  successor uuid not null,
  created_at timestamptz not null,
  primary key (project_id, uuid)
);

create table group_type (
  project_id integer not null,
  group_type_index smallint not null check (group_type_index between 0 and 4),
  group_type text not null,
  primary key (project_id, group_type_index),
  unique (project_id, group_type)
);

create table group_profile (
  project_id integer not null,
  group_type_index smallint not null,
  group_key text not null,
  properties json not null,
  created_at timestamptz not null,
  version integer not null default 1,
  primary key (project_id, group_type_index, group_key)
);

create table ingestion_warning (
  id bigint generated always as identity primary key,
  project_id integer not null,
  type text not null,
  details jsonb not null,
  created_at timestamptz not null
);
create index ingestion_warning_project on ingestion_warning (project_id, id desc);

-- How far each node's log is in this database.
create table ingest_position (
  log_id text primary key,
  position bigint not null,
  updated_at timestamptz not null
);

-- Changes of persons made by the API, on their way to the columnar store: written with the change, removed
-- when applied there.
create table columnar_change (
  id bigint generated always as identity primary key,
  change json not null,
  created_at timestamptz not null
);
