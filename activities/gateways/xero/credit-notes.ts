import { CreditNote } from 'xero-node';
import type { Accounting } from '../accounting.js';
import { isNumberTaken, orNull, type XeroCall } from './client.js';
import { readCreditNote, toDocument } from './shapes.js';

/** Credit notes, which are created approved. */
export function createXeroCreditNotes(
  call: XeroCall,
  salesAccount: string,
): Pick<Accounting, 'findCreditNote' | 'createCreditNote'> {
  const findCreditNote: Accounting['findCreditNote'] = (workspaceId, numberOrId) =>
    orNull(async () => {
      const { creditNotes } = await call(workspaceId, (api, tenant) => api.getCreditNote(tenant, numberOrId));
      return readCreditNote(creditNotes![0]!);
    });

  return {
    findCreditNote,

    async createCreditNote(workspaceId, note, key) {
      const sent: CreditNote = {
        ...toDocument(note, salesAccount),
        type: CreditNote.TypeEnum.ACCRECCREDIT,
        creditNoteNumber: note.number,
        status: CreditNote.StatusEnum.AUTHORISED,
      };
      try {
        const { creditNotes } = await call(workspaceId, (api, tenant) =>
          api.createCreditNotes(tenant, { creditNotes: [sent] }, undefined, undefined, key),
        );
        return readCreditNote(creditNotes![0]!);
      } catch (error) {
        const taken = isNumberTaken(error) ? await findCreditNote(workspaceId, note.number) : null;
        if (taken?.reference !== note.reference) throw error;
        return taken;
      }
    },
  };
}
