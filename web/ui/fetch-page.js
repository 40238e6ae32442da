// Reads a page of this origin, without its styles: the security policy of this page does not allow them.
window.fetchPage = async (address, options) => {
  const response = await fetch(address, { cache: 'no-store', ...options });
  const html = (await response.text()).replace(/<style>[^]*?<\/style>/, '');
  return { response, page: new DOMParser().parseFromString(html, 'text/html') };
};
