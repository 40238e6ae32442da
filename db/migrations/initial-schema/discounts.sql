-- Discount codes.
CREATE TABLE discounts (
  id uuid PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  code text NOT NULL CHECK (code = upper(code)),
  percent numeric(5, 2) CHECK (percent > 0 AND percent <= 100),
  amount_minor integer CHECK (amount_minor > 0),
  currency char(3),
  room_ids uuid[],
  audience jsonb NOT NULL,
  valid_from timestamptz(3),
  valid_until timestamptz(3),
  max_uses integer CHECK (max_uses > 0),
  max_uses_per_payer integer CHECK (max_uses_per_payer > 0),
  archived boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (num_nonnulls(percent, amount_minor) = 1),
  CHECK ((amount_minor IS NULL) = (currency IS NULL))
);
COMMENT ON COLUMN discounts.code IS 'In upper case; people enter it in any.';
COMMENT ON COLUMN discounts.amount_minor IS 'Without tax.';
COMMENT ON COLUMN discounts.room_ids IS 'The rooms whose bookings it is for; null for all.';
CREATE UNIQUE INDEX discounts_by_code ON discounts (workspace_id, code);
CREATE INDEX discounts_by_workspace ON discounts (workspace_id, created_at, id);

CREATE TABLE discount_redemptions (
  booking_id text COLLATE "C" PRIMARY KEY REFERENCES bookings ON DELETE CASCADE,
  discount_id uuid NOT NULL REFERENCES discounts,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE discount_redemptions IS 'Deleted when a booking ends unpaid; kept when it is refunded.';
CREATE INDEX discount_redemptions_by_discount ON discount_redemptions (discount_id);
