import { memberFor } from '../../../commands/members/administer.js';
import { resetMemberSecondFactor } from '../../../commands/sign-in/reset-second-factor.js';
import { can } from '../../../domain/policies.js';
import { object } from '../../../api/http/typed.js';
import { ownCodeFields, requiredCode } from '../../sign-in/proof.js';
import { action, form } from '../forms/form.js';
import { note, ownCode } from '../forms/inputs.js';
import type { Found } from './member-forms.js';

/**
 * The owner's form for a member who lost authenticator and recovery codes. Resets their second factor in the
 * transaction that accepts the owner's code, or after a passkey of theirs.
 */
export const resetSecondFactor = form(
  action({
    capability: 'reset_second_factor',
    body: object(ownCodeFields),
    async run({ params, body: { code }, session }, caller, deps) {
      const { id } = await memberFor(deps.db.manager, caller, params.id);
      await resetMemberSecondFactor(deps, caller, id, requiredCode(session, code));
    },
  }),
  {
    about: note<Found>(({ data: { row } }) => (
      <p>
        Use this if {row.name} has lost their phone and recovery codes. Make sure the request comes from them.
        Their authenticator, passkeys and recovery codes are removed and their sessions end. They then sign in
        with a link sent to {row.email}. Admins are asked to set up a new authenticator.
      </p>
    )),
    code: ownCode,
  },
  {
    path: '/reset-second-factor',
    summary: 'Reset two-step verification',
    button: ({ row }: Found) => `Reset two-step verification for ${row.name}`,
    rare: true,
    proof: true,
    notice: (_, { data: { row } }) =>
      `Two-step verification for ${row.name} has been reset, and their sessions have ended. They have ` +
      'been notified by email.',
  },
);

/** Whether the caller may reset the member's second factor, if they have one. */
export const mayResetSecondFactor = ({ caller, row }: Found): boolean =>
  can(caller.role, 'reset_second_factor') && row.id !== caller.member_id;
