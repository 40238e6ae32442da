CREATE TABLE rooms (
  id uuid PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  name text NOT NULL,
  description text,
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
  self_service boolean NOT NULL DEFAULT true,
  archived boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN rooms.tiers IS 'The tiers that can book the room; null for all.';
CREATE INDEX rooms_page ON rooms (workspace_id, created_at, id);

CREATE TABLE blackouts (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  room_id uuid NOT NULL REFERENCES rooms,
  during tstzrange NOT NULL CHECK (NOT isempty(during)),
  reason text,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX blackouts_by_room ON blackouts USING gist (room_id, during);
