import { NotFound } from "../http/errors.ts"

export const unknownOrganization = (id: string) => new NotFound({ message: `no organization has the id '${id}'` })
