import { can } from '../../../domain/policies.js';
import type { PageProps } from '../forms/page.js';
import type { Tab } from '../shared/layout.js';

/** The pages of a room, for roles that may change it. */
export function roomTabs({ ctx, data }: PageProps<{ room: { id: string } }>): Tab[] | undefined {
  if (!can(ctx.state.membership!.role, 'write_rooms')) return undefined;
  const at = `/rooms/${data.room.id}`;
  return [
    { at, name: 'Overview' },
    { at: `${at}/rates`, name: 'Rates' },
    { at: `${at}/settings`, name: 'Settings' },
  ];
}
