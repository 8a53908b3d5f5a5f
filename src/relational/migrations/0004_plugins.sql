-- Plugins of organizations, their source, and how projects use them.

create table plugin (
  id integer generated always as identity primary key,
  organization_id uuid not null references organization on delete cascade,
  -- The group it was created through, which shows it whatever it can do.
  pipeline_group text not null check (
    pipeline_group in ('pipeline_destinations', 'pipeline_frontend_apps', 'pipeline_import_apps')
  ),
  plugin_type text,
  name text,
  description text,
  -- As it may be shown; the token that was in it is kept apart, sealed.
  url text,
  private_token text,
  -- By which a plugin is the same as another; null where there is no url.
  comparable_url text collate "C",
  icon text,
  config_schema jsonb not null default '{}',
  tag text,
  latest_tag text,
  is_global boolean not null default false,
  capabilities jsonb not null default '{}',
  metrics jsonb not null default '{}',
  public_jobs jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index plugin_organization on plugin (organization_id, id);
-- Once in the whole instance; what comes with it may be used by each organization in its own way.
create unique index plugin_place on plugin (comparable_url)
  where comparable_url not like 'shipped:%';
create unique index plugin_shipped on plugin (comparable_url, organization_id)
  where comparable_url like 'shipped:%';
create index plugin_global on plugin (id) where is_global;

create table plugin_source_file (
  plugin_id integer not null references plugin on delete cascade,
  filename text collate "C" not null,
  source text not null,
  -- The JavaScript of a file that is written in something else.
  transpiled text,
  -- Null for a file that needs no compiler.
  status text check (status in ('transpiled', 'error')),
  error text,
  updated_at timestamptz not null,
  primary key (plugin_id, filename)
);

create table plugin_config (
  id integer generated always as identity primary key,
  plugin_id integer not null references plugin on delete cascade,
  project_id integer not null references project on delete cascade,
  enabled boolean not null default false,
  "order" integer not null default 0,
  config jsonb not null default '{}',
  -- Values of secret settings by key, each sealed.
  secrets jsonb not null default '{}',
  name text,
  description text,
  deleted boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index plugin_config_project on plugin_config (project_id, id) where not deleted;
create index plugin_config_plugin on plugin_config (plugin_id, project_id);
