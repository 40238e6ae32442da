-- What can be booked with rooms.
CREATE TABLE extras (
  id uuid PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  name text NOT NULL,
  unit text NOT NULL CHECK (unit IN ('booking', 'hour', 'attendee', 'piece')),
  currency char(3) NOT NULL,
  price_minor integer NOT NULL CHECK (price_minor >= 0),
  tax_code text NOT NULL,
  room_ids uuid[],
  stock integer CHECK (stock >= 0),
  cutoff_hours integer NOT NULL DEFAULT 0,
  refund_steps jsonb,
  internal boolean NOT NULL DEFAULT false,
  archived boolean NOT NULL DEFAULT false,
  accounting_account text,
  metadata jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN extras.price_minor IS 'For one unit, without tax.';
COMMENT ON COLUMN extras.room_ids IS 'The rooms that it can be booked with; null for all.';
COMMENT ON COLUMN extras.stock IS 'How many there are at a time; null for any number.';
COMMENT ON COLUMN extras.refund_steps IS 'Null for those of the room.';
COMMENT ON COLUMN extras.internal IS 'Only staff book it.';
CREATE INDEX extras_by_workspace ON extras (workspace_id, created_at, id);
CREATE INDEX extras_metadata ON extras
  USING gin (workspace_id, metadata jsonb_path_ops) WITH (fastupdate = off) WHERE metadata <> '{}';

CREATE TABLE extra_claims (
  booking_id text COLLATE "C" NOT NULL REFERENCES bookings ON DELETE CASCADE,
  extra_id uuid NOT NULL REFERENCES extras,
  during tstzrange NOT NULL CHECK (NOT isempty(during)),
  quantity integer NOT NULL CHECK (quantity > 0),
  PRIMARY KEY (booking_id, extra_id, during, quantity)
);
COMMENT ON TABLE extra_claims IS 'The extras of live bookings, and of changes that wait for their payment.';
CREATE INDEX extra_claims_by_time ON extra_claims USING gist (extra_id, during);
