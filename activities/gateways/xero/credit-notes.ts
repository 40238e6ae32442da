import { CreditNote } from './sdk.js';
import { assertOurDocument, documentIdentity, type Accounting } from '../accounting.js';
import { acceptedElement, isNumberTaken, orNull, type XeroCall } from './client.js';
import { readCreditNote, toDocument } from './shapes.js';

/** Each credit note comes with its lines, so a page of a thousand, which Xero allows, would take too long. */
const PAGE_SIZE = 200;

/** Credit notes, which are created approved. */
export function createXeroCreditNotes(
  call: XeroCall,
): Pick<Accounting, 'findCreditNote' | 'listCreditNotes' | 'createCreditNote'> {
  const findCreditNote: Accounting['findCreditNote'] = (workspaceId, numberOrId) =>
    orNull(async () => {
      const { creditNotes } = await call(workspaceId, (api, tenant) => api.getCreditNote(tenant, numberOrId));
      return readCreditNote(creditNotes![0]!);
    });

  return {
    findCreditNote,

    // There is no filter by number or id, so this lists all sales credit notes from a day on.
    async listCreditNotes(workspaceId, from, page) {
      const where = `Type=="ACCRECCREDIT" AND Date>=DateTime(${from.split('-').map(Number).join(', ')})`;
      const { creditNotes = [] } = await call(workspaceId, (api, tenant) =>
        api.getCreditNotes(tenant, undefined, where, 'CreditNoteNumber ASC', page, undefined, PAGE_SIZE),
      );
      return { notes: creditNotes.map(readCreditNote), last: creditNotes.length < PAGE_SIZE };
    },

    async createCreditNote(workspaceId, note, key) {
      const sent: CreditNote = {
        ...toDocument(note),
        type: CreditNote.TypeEnum.ACCRECCREDIT,
        creditNoteNumber: note.number,
        status: CreditNote.StatusEnum.AUTHORISED,
      };
      try {
        const { creditNotes } = await call(workspaceId, (api, tenant) =>
          api.createCreditNotes(tenant, { creditNotes: [sent] }, true, undefined, key),
        );
        return readCreditNote(acceptedElement(creditNotes));
      } catch (error) {
        const taken = isNumberTaken(error) ? await findCreditNote(workspaceId, note.number) : null;
        if (!taken) throw error;
        return assertOurDocument(taken, documentIdentity(note));
      }
    },
  };
}
