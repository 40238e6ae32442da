import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';

const ROOM = 'commands';
/** A status or state that a statement or an update sets to a literal instead of the target of a transition. */
const LITERAL =
  /\bSET\s+(?:\w+ = \S+, )*(?:status|state) = '[a-z]|\bupdate\([^;]*?\}, \{[^;]*?\b(?:status|state): '/;

test('commands move rows between statuses by the transitions of the domain only', (t) => {
  const files = readdirSync(ROOM, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  t.true(files.length > 80);
  for (const file of files) {
    const found = LITERAL.exec(readFileSync(`${ROOM}/${file}`, 'utf8'));
    t.is(found?.[0] ?? null, null, file);
  }
});

test('a literal status is found in a statement and in an update', (t) => {
  t.regex(`UPDATE mails SET notify_at = NULL, status = 'sent'`, LITERAL);
  t.regex(`UPDATE checkouts SET state = 'open'`, LITERAL);
  t.regex(`tx.update(Mail, { id }, { sent_at, status: 'sent' });`, LITERAL);
  t.notRegex("UPDATE mails SET status = '${MAIL_TRANSITIONS.sent.to}'", LITERAL);
});
