-- All mail, enqueued in the transaction that it reports. A row has neither names nor addresses: recipient and
-- content are read when it is sent. Each workspace's mail is sent by one workflow, and sign-in links by
-- another.
CREATE TABLE mails (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" REFERENCES workspaces,
  kind text NOT NULL,
  about text COLLATE "C" NOT NULL,
  booking_id text COLLATE "C" REFERENCES bookings,
  invoice_id text COLLATE "C" REFERENCES invoices,
  sign_in_link_id text COLLATE "C" UNIQUE REFERENCES sign_in_links ON DELETE CASCADE,
  profile_id text COLLATE "C" REFERENCES profiles ON DELETE CASCADE,
  attachment bytea,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'sent', 'skipped', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL DEFAULT now(),
  notify_at timestamptz(3) DEFAULT now(),
  sent_at timestamptz(3),
  failed_at timestamptz(3),
  failure_code text,
  UNIQUE (kind, about),
  CONSTRAINT mails_workspace_or_person CHECK (num_nonnulls(workspace_id, sign_in_link_id, profile_id) = 1),
  CONSTRAINT mails_sent CHECK ((status = 'sent') = (sent_at IS NOT NULL)),
  CONSTRAINT mails_failed CHECK ((status = 'failed') = (failed_at IS NOT NULL))
);
COMMENT ON COLUMN mails.about IS 'The id of the object that the mail is about: one mail per kind and object.';
COMMENT ON COLUMN mails.attachment IS 'The invoice as PDF; null once the mail is no longer pending.';
COMMENT ON COLUMN mails.status IS 'skipped: it had no recipient any more.';
COMMENT ON COLUMN mails.notify_at IS
  'When the outbox relay notifies the workflow (again); null once the mail is no longer pending.';
COMMENT ON COLUMN mails.failure_code IS 'The code of the last failed attempt: smtp_550, not_connected.';
COMMENT ON COLUMN mails.profile_id IS 'For mail about a person''s account.';
CREATE INDEX mails_due ON mails ((coalesce(workspace_id, '')), next_attempt_at) WHERE status = 'pending';
CREATE INDEX mails_to_notify ON mails (notify_at) WHERE notify_at IS NOT NULL;
CREATE INDEX mails_failed_by_workspace ON mails (workspace_id, failed_at) WHERE status = 'failed';
CREATE INDEX mails_by_booking ON mails (booking_id) WHERE booking_id IS NOT NULL;
CREATE INDEX mails_by_invoice ON mails (invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX mails_by_profile ON mails (profile_id) WHERE profile_id IS NOT NULL;
CREATE INDEX mails_by_workspace ON mails (workspace_id, created_at) WHERE workspace_id IS NOT NULL;

-- Which addresses each workspace has mailed.
CREATE TABLE mail_recipients (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  digest bytea NOT NULL,
  first_mailed_at timestamptz(3) NOT NULL DEFAULT now(),
  refused_at timestamptz(3),
  by_public_guest boolean NOT NULL DEFAULT false,
  held_mailed_at timestamptz,
  held_booking_id text,
  PRIMARY KEY (workspace_id, digest)
);
COMMENT ON COLUMN mail_recipients.digest IS
  'SHA-256 of the workspace''s id and the canonical address, separated by a line break.';
COMMENT ON COLUMN mail_recipients.refused_at IS
  'When the mail server permanently refused the address, within a day of the first mail to it.';
COMMENT ON COLUMN mail_recipients.by_public_guest IS
  'The first mail was about a hold of the booking page: nobody had paid, or shown that the address is '
  'theirs.';
COMMENT ON COLUMN mail_recipients.held_mailed_at IS
  'When the address had its last mail about an unpaid booking from a booking page.';
COMMENT ON COLUMN mail_recipients.held_booking_id IS
  'The booking of that mail. Another one has mail once this one is paid or proven, or a day later.';
CREATE INDEX mail_recipients_by_time ON mail_recipients (workspace_id, first_mailed_at);

CREATE TABLE mail_holds (
  workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
  held_at timestamptz(3) NOT NULL,
  held_until timestamptz(3),
  reason text,
  released_at timestamptz(3)
);
COMMENT ON COLUMN mail_holds.held_until IS
  'When the hold lapses; null until the operator of the service releases it.';
COMMENT ON COLUMN mail_holds.reason IS
  'That of the operator of the service; null if too many addresses refused mail.';
COMMENT ON COLUMN mail_holds.released_at IS
  'When the operator of the service released it: earlier refusals do not count.';
