CREATE TABLE rooms (
  id uuid PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  name text NOT NULL,
  description text,
  image_urls text[] NOT NULL DEFAULT '{}',
  features text[] NOT NULL DEFAULT '{}',
  floor text,
  size_m2 integer,
  address text,
  directions text,
  access_notes text,
  reminder_hours integer,
  time_zone text NOT NULL,
  slot_minutes integer NOT NULL CHECK (slot_minutes > 0 AND 1440 % slot_minutes = 0),
  min_minutes integer,
  max_minutes integer,
  capacity integer,
  opening_hours jsonb,
  turnaround_minutes integer NOT NULL DEFAULT 0 CHECK (turnaround_minutes >= 0),
  edit_window_minutes integer NOT NULL DEFAULT 60 CHECK (edit_window_minutes >= 0),
  currency char(3) NOT NULL,
  price_per_hour_minor integer NOT NULL CHECK (price_per_hour_minor >= 0),
  tax_code text NOT NULL,
  tiers text[],
  tier_discounts jsonb NOT NULL,
  refund_steps jsonb NOT NULL,
  rates jsonb NOT NULL DEFAULT '[]',
  rate_version integer NOT NULL DEFAULT 0,
  parts uuid[] NOT NULL DEFAULT '{}',
  self_service boolean NOT NULL DEFAULT true,
  archived boolean NOT NULL DEFAULT false,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN rooms.image_urls IS 'Pictures, the first of which lists show.';
COMMENT ON COLUMN rooms.features IS 'Such as Projector, step-free.';
COMMENT ON COLUMN rooms.access_notes IS 'For bookers, from the confirmation on, such as a door code.';
COMMENT ON COLUMN rooms.reminder_hours IS
  'How long before the start of a booking its booker is reminded; null: not.';
COMMENT ON COLUMN rooms.tiers IS 'The tiers that can book the room; null for all.';
COMMENT ON COLUMN rooms.rates IS 'The current rates; earlier versions are in room_rates.';
COMMENT ON COLUMN rooms.parts IS 'The rooms that it consists of, which may have parts too.';
CREATE INDEX rooms_page ON rooms (workspace_id, created_at, id);
CREATE INDEX rooms_metadata ON rooms
  USING gin (workspace_id, metadata jsonb_path_ops) WITH (fastupdate = off) WHERE metadata <> '{}';

-- Every version of the rates of rooms. The current one is with the room too, so that no create reads more
-- rows.
CREATE TABLE room_rates (
  room_id uuid NOT NULL REFERENCES rooms,
  version integer NOT NULL CHECK (version > 0),
  workspace_id text COLLATE "C" NOT NULL,
  rates jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (room_id, version)
);

CREATE TABLE room_leaves (
  room_id uuid NOT NULL REFERENCES rooms,
  leaf_id uuid NOT NULL REFERENCES rooms,
  PRIMARY KEY (room_id, leaf_id)
);
COMMENT ON TABLE room_leaves IS
  'The rooms without parts that a room consists of; itself, for a room that is only a part. Follows from '
  'rooms.parts.';
CREATE INDEX room_leaves_by_leaf ON room_leaves (leaf_id);
-- Its name sorts after those of foreign keys, so that these have locked the room before.
CREATE TRIGGER room_leaves_of_claims AFTER INSERT ON room_leaves
  FOR EACH ROW EXECUTE FUNCTION claim_linked_part();

-- The addresses under which calendar programs of members read the bookings of rooms.
CREATE TABLE room_feeds (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  member_id text COLLATE "C" NOT NULL REFERENCES members,
  room_id uuid NOT NULL REFERENCES rooms,
  key_id text COLLATE "C",
  token_hash bytea,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT room_feeds_member_room_key UNIQUE (member_id, room_id)
);
COMMENT ON COLUMN room_feeds.id IS 'The address has it with a signature.';
COMMENT ON COLUMN room_feeds.member_id IS 'Whose rights its document has.';
COMMENT ON COLUMN room_feeds.key_id IS 'The API key or grant that created it; null at the dashboard.';
COMMENT ON COLUMN room_feeds.token_hash IS
  'SHA-256 of the token that created it; null at the dashboard.';

CREATE TABLE pictures (
  key text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  bytes integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE pictures IS
  'What is in the store of pictures. Rooms show them by their address, in image_urls.';
CREATE INDEX pictures_workspace ON pictures (workspace_id);
CREATE INDEX pictures_created ON pictures (created_at);

CREATE TABLE blackouts (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  room_id uuid NOT NULL REFERENCES rooms,
  during tstzrange NOT NULL CHECK (NOT isempty(during)),
  reason text,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX blackouts_by_room ON blackouts USING gist (room_id, during);
