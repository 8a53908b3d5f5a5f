-- Questions that are worked out after their asker was answered, until they are read or too old.
create table query_run (
  project_id integer not null references project on delete cascade,
  -- Chosen by the caller, or drawn.
  id text not null,
  created_by integer references app_user on delete cascade,
  query json not null,
  state text not null default 'running' check (state in ('running', 'complete', 'failed', 'cancelled')),
  -- The answer as JSON text; of a failure, its kind, code, detail and attr.
  answer text,
  failure json,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- Renewed by whoever works on it; past its time that somebody is taken for dead.
  alive_at timestamptz not null,
  primary key (project_id, id)
);
create index query_run_started_at on query_run (started_at);
create index query_run_created_by on query_run (created_by);
