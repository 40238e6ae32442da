import joi from 'joi';
import { listMembers, type MemberRow } from '../../../db/queries/members/member.js';
import { mayOwn, transferOwnership } from '../../../commands/members/ownership.js';
import { memberId, searchText } from '../../../api/http/fields.js';
import { object } from '../../../api/http/typed.js';
import { ownCodeFields, requiredCode } from '../../sign-in/proof.js';
import { action, form } from '../forms/form.js';
import { note, ownCode } from '../forms/inputs.js';
import { page, type PageProps } from '../forms/page.js';
import { Filter } from '../shared/list.js';
import { pathIn } from '../shared/paths.js';

const MAX_SHOWN = 200;

interface Ownership {
  q: string | undefined;
  candidates: MemberRow[];
  /** Whether there may be more members than were looked at. */
  isCut: boolean;
}

/**
 * Transfers the workspace in the transaction that accepts the code, or after a passkey
 * (docs/rules/members.md#ownership-transfer).
 */
const transfer = form(
  action({
    capability: 'transfer_ownership',
    body: object({ ...ownCodeFields, member_id: memberId }, 'member_id'),
    run: ({ body: { code, member_id }, session }, caller, deps) =>
      transferOwnership(deps, caller, member_id, requiredCode(session, code)),
  }),
  {
    member_id: {
      label: 'New owner',
      options: ({ candidates }: Ownership) =>
        candidates.map(({ id, name, email }) => [id, `${name} (${email})`] as const),
      wide: true,
    },
    cut: note<Ownership>(
      ({ data }) =>
        data.isCut && <p class="hint">Showing the {MAX_SHOWN} latest members. Search to find others.</p>,
    ),
    code: ownCode,
  },
  {
    button: 'Transfer ownership',
    rare: true,
    keepsQuery: true,
    proof: true,
    notice: () => 'Ownership transferred. You are now an admin.',
    to: () => '',
  },
);

function TransferPage(props: PageProps<Ownership>) {
  const { ctx, data } = props;
  const { q, candidates, isCut } = data;
  return (
    <>
      {(q || isCut) && <Filter ctx={ctx} fields={[{ name: 'q', label: 'Name or email' }]} />}
      {candidates.length > 0 ? (
        <transfer.Open page={props}>
          <p>
            The selected member becomes the owner and you become an admin. Only the new owner can undo this.
          </p>
        </transfer.Open>
      ) : q ? (
        <p class="card">No matching member has accepted their membership.</p>
      ) : (
        <p class="card">
          You are the owner. To transfer ownership, add the new owner as a member. They must accept their
          membership first. <a href={pathIn(ctx, '/members/new')}>Add member</a>
        </p>
      )}
    </>
  );
}

/** The form to transfer the workspace, among many members to one that is searched for. */
export const ownership = [
  page({
    path: '/ownership',
    capability: 'transfer_ownership',
    query: joi.object({ q: searchText.allow('') }),
    title: 'Ownership',
    async load({ caller, query: { q } }, { db }): Promise<Ownership> {
      const { workspace_id, member_id } = caller;
      const found = { workspace_id, q: q || undefined, is_accepted: true, limit: MAX_SHOWN };
      const members = await listMembers(db.manager, found);
      const candidates = members.filter((member) => member.id !== member_id && mayOwn(member));
      return { q, candidates, isCut: members.length === MAX_SHOWN };
    },
    view: TransferPage,
    forms: [transfer],
  }),
];
