-- Sets of persons: by a rule that is worked out again and again (dynamic), or by a list (static). Who is in them is
-- also in the columnar store, where questions are asked.
create table cohort (
  id integer generated always as identity primary key,
  project_id integer not null references project on delete cascade,
  name text not null,
  description text not null default '',
  is_static boolean not null,
  -- `json`, not `jsonb`: what came is what is read back, in its order.
  filters json,
  groups json not null default '[]',
  query json,
  -- Cohorts that the filters name.
  depends_on integer[] not null default '{}',
  deleted boolean not null default false,
  created_by integer references app_user on delete set null,
  created_at timestamptz not null,
  -- Grows with every change of who should be in it; `version` is the one that was worked out last.
  pending_version integer not null default 1,
  version integer,
  count integer,
  is_calculating boolean not null default false,
  -- Since when somebody works it out; past its time that somebody is taken for dead.
  claimed_at timestamptz,
  attempted_at timestamptz,
  last_calculation timestamptz,
  errors_calculating integer not null default 0
);
create index cohort_project on cohort (project_id, id);
create index cohort_created_by on cohort (created_by);

-- The truth about static cohorts. By the person's number, so that merges and deletions take it along.
create table cohort_person (
  cohort_id integer not null references cohort on delete cascade,
  person_id bigint not null references person on delete cascade,
  primary key (cohort_id, person_id)
);
create index cohort_person_person on cohort_person (person_id);
