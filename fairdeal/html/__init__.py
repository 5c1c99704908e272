"""Pages for people: the player's page and the auditor's report, each one file that loads nothing and asks nobody.

- `assemble`: from parts to one document, with a content security policy that names each of them by its hash
- `page`: the player's page; `report`: what an audit found
- `parts`: the style sheets, scripts and the body they are put together from
"""
