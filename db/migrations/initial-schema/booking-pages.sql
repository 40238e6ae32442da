-- The pages on which anybody can book.
CREATE TABLE booking_pages (
  workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
  slug text NOT NULL CONSTRAINT booking_pages_slug_key UNIQUE,
  enabled boolean NOT NULL,
  room_ids uuid[],
  embed_origins text[] NOT NULL,
  questions jsonb NOT NULL,
  terms jsonb,
  theme jsonb NOT NULL,
  languages text[] NOT NULL,
  guest_hold_seconds integer NOT NULL,
  notice text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN booking_pages.room_ids IS 'The rooms to book there; null for all that guests can book.';
COMMENT ON COLUMN booking_pages.terms IS 'The url and version of what people accept; null for nothing.';

-- The addresses that booking pages have or had: nobody else gets one, to which the links of others may still
-- lead.
CREATE TABLE booking_page_addresses (
  slug text PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX booking_page_addresses_by_workspace ON booking_page_addresses (workspace_id);

-- The terms that are a text or a PDF, by version.
CREATE TABLE booking_page_terms (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  version text NOT NULL,
  text text,
  file_key text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, version),
  CHECK ((text IS NULL) <> (file_key IS NULL))
);
