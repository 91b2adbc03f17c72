/** Headers under which an original leaves: it is saved, not opened, and should it be opened after all, nothing of it runs. */
export const attachment = ({ file_name }: { readonly file_name: string }) => ({
  "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file_name)}`,
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
})
