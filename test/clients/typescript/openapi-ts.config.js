export default {
  input: 'openapi.json',
  output: { path: 'generated/sdk', importFileExtension: '.js' },
};
