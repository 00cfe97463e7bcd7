"""The operations of the Graph Engine as data: `operations.py` is the door, `tensor_operations.py` and `network_operations.py` the table,
`dtypes.py` the data types."""
