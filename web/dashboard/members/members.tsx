import joi from 'joi';
import type { ComponentChildren } from 'preact';
import type { NamedCompany } from '../../../db/queries/companies/company.js';
import { planName, type Plans } from '../../../domain/members/plans.js';
import { listMembers, type MemberRow } from '../../../db/queries/members/member.js';
import { can } from '../../../domain/policies.js';
import { TIERS, type Tier } from '../../../domain/rates/price.js';
import { MEMBER_STATUSES, type MemberStatus } from '../../../domain/states.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { cursorParam } from '../../../api/http/cursor.js';
import { searchText, uuid } from '../../../api/http/fields.js';
import { isMemberId } from '../../../api/resources/members/operations.js';
import { readCompanies } from '../companies/choice.js';
import { Elsewhere, page, type PageProps, type PageRequest } from '../forms/page.js';
import { pathIn } from '../shared/paths.js';
import { createFormats, sentenceCase, spaced } from '../../ui/formats.js';
import { PrimaryLink } from '../shared/action.js';
import { Status } from '../shared/status.js';
import { Legend } from '../shared/legend.js';
import { choiceFilter, Empty, Filter, readPage, Pager, Table } from '../shared/list.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { PayerName } from '../shared/payer-name.js';
import { planOptions } from './tier-options.js';

interface Query {
  q?: string;
  tier?: Tier | '';
  status?: MemberStatus | '';
  company_id?: string;
  cursor?: string;
}

export function MemberTable(props: {
  ctx: ApiContext;
  members: MemberRow[];
  empty?: ComponentChildren;
  /** Set if the members are those of one company. */
  ofCompany?: true;
}) {
  const { ctx, members, empty = 'No members.', ofCompany } = props;
  const { day } = createFormats(ctx);
  return (
    <Table
      rows={members}
      empty={empty}
      columns={[
        {
          name: 'Name',
          show: ({ id, name, email }) => (
            <>
              <a href={pathIn(ctx, `/members/${id}`)}>{name}</a>
              <small>{email}</small>
            </>
          ),
        },
        {
          name: 'Plan',
          show: ({ tier, pending_tier, plans }) => (
            <>
              {planName(plans, tier)}
              {pending_tier && <small>{planName(plans, pending_tier)} later</small>}
            </>
          ),
        },
        { name: 'Role', show: ({ role }) => role !== 'member' && sentenceCase(role) },
        ...(ofCompany
          ? []
          : [
              {
                name: 'Company',
                show: ({ company_id, company_name }: MemberRow) =>
                  company_id && (
                    <PayerName ctx={ctx} payer={{ kind: 'company', id: company_id, name: company_name! }} />
                  ),
              },
            ]),
        { name: 'Status', show: ({ status }) => <Status value={status} /> },
        ...(ofCompany
          ? []
          : [
              {
                name: 'Joined',
                show: ({ joined_at }: MemberRow) =>
                  joined_at && <span class="soft nowrap">{day(joined_at)}</span>,
              },
            ]),
      ]}
    />
  );
}

interface ListPage {
  rows: MemberRow[];
  next: string | undefined;
  plans: Plans;
  /** Companies to filter by, for roles that may see them. */
  companies: NamedCompany[] | null;
}

async function readMembers(request: PageRequest, deps: ApiDependencies): Promise<ListPage> {
  const { ctx, caller, query } = request;
  const { manager } = deps.db;
  const { workspace_id, role } = caller;
  const { q, tier, status, company_id } = query as Query;
  if (q && isMemberId(q)) throw new Elsewhere(`/members/${q}`);
  const { rows, next } = await readPage(
    ctx,
    isMemberId,
    'joined_at',
    (page) =>
      listMembers(manager, {
        workspace_id,
        q: q || undefined,
        tier: tier || undefined,
        status: status || undefined,
        company_id: company_id || undefined,
        ...page,
      }),
    ({ joined_at, created_at }) => joined_at ?? created_at,
  );
  const { plans } = (await findWorkspace(manager, workspace_id))!;
  const companies = can(role, 'read_payers')
    ? await readCompanies(request, deps, company_id ? [company_id] : [])
    : null;
  return { rows, next, plans, companies };
}

const NewMember = ({ ctx }: { ctx: ApiContext }) => (
  <PrimaryLink href={pathIn(ctx, '/members/new')}>New member</PrimaryLink>
);

function Members({ ctx, data }: PageProps<ListPage>) {
  const { rows, next, plans, companies } = data;
  const mayInvite = can(ctx.state.membership!.role, 'invite_members');
  return (
    <>
      <Filter
        ctx={ctx}
        fields={[
          { name: 'q', label: 'Name or email' },
          { name: 'tier', label: 'Plan', options: planOptions(plans) },
          { name: 'status', label: 'Status', options: MEMBER_STATUSES.map((each) => [each, spaced(each)]) },
          ...(companies
            ? [
                {
                  name: 'company_id',
                  label: 'Company',
                  options: companies.map(({ id, name }) => [id, name] as const),
                },
              ]
            : []),
        ]}
      >
        {mayInvite && (
          <a class="button quiet" href={pathIn(ctx, '/members/import')}>
            Import
          </a>
        )}
      </Filter>
      <MemberTable
        ctx={ctx}
        members={rows}
        empty={
          <Empty ctx={ctx} says="Members have a plan and book at its prices, such as Ada on the Plus plan.">
            {mayInvite && <NewMember ctx={ctx} />}
          </Empty>
        }
      />
      <Pager ctx={ctx} next={next} />
      <Legend of="member" />
    </>
  );
}

/** Members by name, address, tier, status and company, latest to join first. */
export const membersPage = page<ListPage>({
  path: '/members',
  capability: 'read_others',
  query: joi.object({
    q: searchText.allow(''),
    tier: choiceFilter(TIERS),
    status: choiceFilter(MEMBER_STATUSES),
    company_id: uuid.allow(''),
    cursor: cursorParam,
  }),
  title: 'Members',
  primary: ({ ctx }) => can(ctx.state.membership!.role, 'invite_members') && <NewMember ctx={ctx} />,
  load: readMembers,
  view: Members,
});
