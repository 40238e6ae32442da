-- Mail to the payer of a booking or an invoice, enqueued in the transaction of what it reports. The row has no
-- address: it is looked up when the mail is sent.
CREATE TABLE mails (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  booking_id text COLLATE "C" REFERENCES bookings,
  invoice_id text COLLATE "C" REFERENCES invoices,
  kind text NOT NULL,
  about text COLLATE "C" NOT NULL DEFAULT '',
  attachment bytea,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  notified_at timestamptz(3),
  sent_at timestamptz(3),
  UNIQUE (booking_id, kind, about),
  CONSTRAINT mails_booking_or_invoice CHECK ((booking_id IS NULL) <> (invoice_id IS NULL))
);
COMMENT ON COLUMN mails.about IS 'The change or refund that the mail is about, where there can be several.';
COMMENT ON COLUMN mails.attachment IS 'The invoice as PDF; null once the mail was sent.';
COMMENT ON COLUMN mails.notified_at IS 'When the workflow that sends mail about an invoice was notified.';
CREATE UNIQUE INDEX mails_invoice_key ON mails (invoice_id, kind, about) WHERE invoice_id IS NOT NULL;
CREATE INDEX mails_unsent ON mails (created_at) WHERE sent_at IS NULL;
CREATE INDEX mails_to_notify ON mails (created_at) WHERE invoice_id IS NOT NULL AND notified_at IS NULL;

-- Mail to the workspace's owner at the time of sending.
CREATE TABLE owner_mails (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  kind text NOT NULL,
  about text COLLATE "C" NOT NULL,
  details jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  notified_at timestamptz(3),
  sent_at timestamptz(3),
  UNIQUE (workspace_id, kind, about)
);
COMMENT ON COLUMN owner_mails.about IS 'The id of what the mail is about: one mail per kind and object.';
COMMENT ON COLUMN owner_mails.notified_at IS 'When the workflow that sends it was notified.';
CREATE INDEX owner_mails_to_notify ON owner_mails (created_at) WHERE notified_at IS NULL;
