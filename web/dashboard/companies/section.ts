import { removeCompanyCard, setUpCard, update } from '../../../api/resources/companies/handlers.js';
import { updateSchema } from '../../../api/resources/companies/shape.js';
import { payerForms } from '../payers/payer-forms.js';
import type { Section } from '../shared/section.js';
import {
  companiesQuery,
  companyFields,
  createCompanyForm,
  showCompanies,
  updateCompanyForm,
} from './companies.js';
import { showCompany } from './company.js';

export const companies: Section = [
  {
    path: '/companies',
    capability: 'read_others',
    query: companiesQuery,
    show: showCompanies,
    forms: [['', companyFields, createCompanyForm, 'write_companies']],
  },
  {
    path: '/companies/:id',
    capability: 'read_others',
    show: showCompany,
    forms: [
      ['', companyFields, updateCompanyForm, 'write_companies'],
      ...payerForms({
        update,
        schema: updateSchema,
        setUpCard,
        removeCard: removeCompanyCard,
        ownCard: 'write_billing',
        to: (ctx) => `/companies/${ctx.params.id}`,
      }),
    ],
  },
];
