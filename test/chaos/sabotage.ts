import { db } from '../support/stack.js';
import type { Sabotage } from './options.js';

/** The others are applied in the processes of the service, by preload.ts. */
const STATEMENTS: Partial<Record<Sabotage, string>> = {
  exclusion: `
    ALTER TABLE slot_claims DROP CONSTRAINT slot_claims_no_overlap;
    ALTER TABLE part_claims DROP CONSTRAINT part_claims_no_overlap`,
  // The other half is applied there too.
  attempts: `DROP INDEX checkouts_invoice_key`,
  fence: `
    CREATE FUNCTION open_fence() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.recovering_since = NULL; RETURN NEW; END $$;
    CREATE TRIGGER open_fence BEFORE UPDATE ON account_reads FOR EACH ROW EXECUTE FUNCTION open_fence()`,
  reading: `
    CREATE FUNCTION count_as_handled() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF NEW.via = 'pull' THEN NEW.handled_at = now(); END IF; RETURN NEW; END $$;
    CREATE TRIGGER count_as_handled BEFORE INSERT ON processor_events FOR EACH ROW
      EXECUTE FUNCTION count_as_handled()`,
  outbox: `
    CREATE FUNCTION lose_event() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF random() < 0.2 THEN RETURN NULL; END IF; RETURN NEW; END $$;
    CREATE TRIGGER lose_event BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION lose_event()`,
};

/** Breaks a guarantee in the database. */
export async function sabotage(what: Sabotage): Promise<void> {
  const statement = STATEMENTS[what];
  if (statement) await db.query(statement);
}
