const PAGES: Record<string, string> = { bk: 'bookings', inv: 'invoices', pay: 'payments', mem: 'members' };

/** The page of what has an id, as a path after the workspace's; null if its kind has none. */
export function pathOfId(id: string): string | null {
  const page = PAGES[id.split('_')[0]!];
  return page ? `/${page}/${id}` : null;
}
