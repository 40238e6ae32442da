const PAGES: Record<string, string> = { bk: 'bookings', inv: 'invoices', pay: 'payments', mem: 'members' };

/**
 * The page of a booking, invoice, payment or member after the workspace's path, by its
 * id; null for other objects.
 */
export function pathOfObjectId(id: string): string | null {
  const page = PAGES[id.split('_')[0]!];
  return page ? `/${page}/${id}` : null;
}
