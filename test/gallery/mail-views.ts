import { layOut } from '../../activities/mail/templates/layout.js';
import type { MailKind } from '../../domain/mail/kinds.js';
import { LONG_MAILS, TEXTS } from '../activities/mail/long-mails.js';
import { nameAt } from './words.js';
import type { View } from './view.js';

const RIGHT_TO_LEFT = { ...TEXTS.long, name: nameAt(3), label: nameAt(2) };
const STATES = { long: TEXTS.long, 'right to left': RIGHT_TO_LEFT };

/** Every kind of mail, as HTML; those of a few kinds of content once for each. */
export async function mailViews(): Promise<View[]> {
  const views: View[] = [];
  for (const kind of Object.keys(LONG_MAILS) as MailKind[])
    for (const [state, texts] of Object.entries(STATES))
      for (const [n, content] of (await Promise.all(LONG_MAILS[kind](texts))).entries()) {
        // One of right-to-left texts is enough to see how the layout takes them.
        if (!content || (n > 0 && texts !== TEXTS.long)) continue;
        const sender = {
          name: texts.name,
          logo_url: null,
          accent_color: '#7a0019',
          is_speaker: true,
          contact_email: texts.email,
          is_proven: true,
        };
        const { html } = await layOut(content, sender);
        views.push({
          page: `mail ${kind}`,
          state: n ? `${state} ${n + 1}` : state,
          visitor: 'nobody',
          address: 'about:blank',
          html,
        });
      }
  return views;
}
